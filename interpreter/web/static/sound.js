// The sound of a move, for those who want it.

import { settings } from "./memory.js";

let audio = null;

/** A wooden click. */
export function click() {
  if (!settings.get("sound", false)) return;
  audio ??= new AudioContext();
  const tone = audio.createOscillator(), loud = audio.createGain();
  tone.frequency.setValueAtTime(420, audio.currentTime);
  tone.frequency.exponentialRampToValueAtTime(120, audio.currentTime + 0.06);
  loud.gain.setValueAtTime(0.25, audio.currentTime);
  loud.gain.exponentialRampToValueAtTime(0.001, audio.currentTime + 0.09);
  tone.connect(loud).connect(audio.destination);
  tone.start();
  tone.stop(audio.currentTime + 0.1);
}
