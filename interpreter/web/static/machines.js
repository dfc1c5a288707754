// The machines to play against, by strength and by the way they think.

/** For each level a name, the player or its time for a move, and what that means. */
const LEVELS = {
  beginner: ["Beginner", "random", "moves at random"],
  easy: ["Easy", "greedy", "looks at the next move only"],
  medium: ["Medium", "0.5s"],
  strong: ["Strong", "2s"],
  expert: ["Very strong", "6s"],
  master: ["Strongest", "20s"],
};
const METHODS = { mcts: "random games", alphabeta: "looking ahead", solve: "proof, where it finds one" };

/** Whether the machine of a level thinks. */
export const thinks = (level) => /[0-9]/.test(LEVELS[level][1]);

/** For selects: the value and the words of each. */
export const levels = Object.entries(LEVELS).map(([level, [name]]) => [level, name]);
export const methods = Object.entries(METHODS);

/** The player of a level, and of a method if it thinks. */
export const playerOf = (level, method) => (thinks(level) ? `${method}:${LEVELS[level][1]}` : LEVELS[level][1]);

/** A sentence on what a level means. */
export const meaning = (level) => (thinks(level) ? `Thinks about a move for ${LEVELS[level][1].replace("s", " s")}.` : `${LEVELS[level][2].replace(/^./, (letter) => letter.toUpperCase())}.`);

/** A player in words: its name, and the small print. */
export function describe(player) {
  const level = Object.values(LEVELS).find(([, name]) => name === player);
  if (level) return [`Machine, ${level[0].toLowerCase()}`, level[2]];
  const [method, effort = ""] = player.split(":");
  const seconds = effort.match(/^([0-9.]+)s/)?.[1];
  const time = Object.values(LEVELS).filter(([, time]) => Number.parseFloat(time) <= seconds).at(-1);
  return [
    time ? `Machine, ${time[0].toLowerCase()}` : "Machine",
    [METHODS[method] ?? method, seconds ? `${seconds} s a move` : effort].filter(Boolean).join(", "),
  ];
}
