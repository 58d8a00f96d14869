// The runner protocol from the side of an implementation, as short as a port would have it.
// Reads messages from standard input, writes answers to standard output; never knows what is expected.

import { createRequire } from 'node:module';
import readline from 'node:readline';

/** Packages are those of tests/node, whose lock file pins them. */
export const require = createRequire(new URL('../node/package.json', import.meta.url));

/** The implementation has nothing for this case. */
export class Skip extends Error {}

/** Answer every message; `output` makes the output of one `run` message, or throws. */
export async function serve(claims, output) {
  for await (const line of readline.createInterface({ input: process.stdin })) {
    const message = JSON.parse(line);
    if (message.do === 'stop') break;
    const reply = message.do === 'start' ? claims : await answer(message, output);
    process.stdout.write(JSON.stringify(reply) + '\n');
  }
  process.exit(0);
}

/** The bytes of a framed case, cut as the harness wants. */
export function pieces(message) {
  return message.given.chunks.map((chunk) => new Uint8Array(Buffer.from(chunk, 'base64')));
}

async function answer(message, output) {
  try {
    return { seq: message.seq, result: 'ok', output: await output(message) };
  } catch (error) {
    if (error instanceof Skip) return { seq: message.seq, result: 'skipped', reason: error.message };
    return { seq: message.seq, result: 'error', error: error?.name ?? 'Error', message: String(error?.message) };
  }
}
