// Requests to the server. Every failure is an Error whose message is a sentence for people.

const OFTEN = 429; // the status for too many requests, after which one may try again
const SOON = 1500, LATE = 30_000; // milliseconds until a lost connection is tried again: at first, and at most

export class Refused extends Error {
  constructor(message, status) {
    super(message);
    this.status = status;
  }
}

async function ask(method, path, body, seat, signal) {
  const reply = await send(method, path, body, seat, signal);
  return reply.status === 204 ? null : await reply.json().catch(() => null);
}

async function send(method, path, body, seat, signal) {
  const headers = {};
  if (body !== undefined) headers["Content-Type"] = "application/json";
  if (seat) headers.Authorization = `Bearer ${seat}`;
  let reply;
  try {
    reply = await fetch(path, { method, headers, body: body === undefined ? undefined : JSON.stringify(body), signal });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Refused("The server cannot be reached just now.", 0);
  }
  if (reply.ok) return reply;
  const data = await reply.json().catch(() => null);
  throw new Refused(data?.detail ?? `The server says: ${reply.status} ${reply.statusText}`, reply.status);
}

/** Make a request that is answered by events; each goes to the function of its name in `on`. */
export async function stream(path, body, on, signal) {
  const reply = await send("POST", path, body, null, signal);
  await hear(reply, on);
}

/**
 * Listen to the events of a path until `signal`, with the secret of a `seat`. A lost connection is made again unless
 * the server refuses it; `linked` is told whether there is one.
 */
export async function listen(path, on, { seat, signal, linked }) {
  let wait = SOON;
  while (!signal.aborted) {
    try {
      const reply = await send("GET", path, undefined, seat, signal);
      linked(true);
      wait = SOON;
      await hear(reply, on);
    } catch (error) {
      if (error.status >= 400 && error.status < 500 && error.status !== OFTEN) throw error;
    }
    if (signal.aborted) return;
    linked(false);
    await pause(wait);
    wait = Math.min(2 * wait, LATE);
  }
}

/** Wait for `time` milliseconds, or until the browser is online again. */
const pause = (time) =>
  new Promise((resolve) => {
    addEventListener("online", resolve, { once: true });
    setTimeout(() => {
      removeEventListener("online", resolve);
      resolve();
    }, time);
  });

async function hear(reply, on) {
  const reader = reply.body.pipeThrough(new TextDecoderStream()).getReader();
  for (let text = "", end; ; ) {
    while ((end = text.indexOf("\n\n")) >= 0) {
      const [, name, data] = text.slice(0, end).match(/^event: (.*)\ndata: (.*)$/m) ?? [];
      text = text.slice(end + 2);
      try {
        on[name]?.(JSON.parse(data));
      } catch (error) {
        reportError(error); // the events after it are still handled
      }
    }
    const { value, done } = await reader.read();
    if (done) return;
    text += value;
  }
}

export const get = (path) => ask("GET", path);
export const post = (path, body = {}, { seat, signal } = {}) => ask("POST", path, body, seat, signal);
export const put = (path, body) => ask("PUT", path, body);
export const remove = (path) => ask("DELETE", path);
