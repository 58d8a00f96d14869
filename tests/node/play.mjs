// What the official Node client makes of plays: reads jobs as JSON on standard input, {address, jobs: [[call, name], …]};
// prints a JSON list of {final} or {raises} in the same order. Never talks to another address.
import OpenAI from "openai";

async function last(events) {
  let event;
  for await (event of events);
  return event;
}

async function all(chunks) {
  const found = [];
  for await (const chunk of chunks) found.push(chunk);
  return found;
}

const input = "x";
const messages = [{ role: "user", content: "x" }];
const CALLS = {
  "responses create": async (client, model) =>
    (await last(await client.responses.create({ model, input, stream: true }))).response,
  "responses stream": (client, model) => client.responses.stream({ model, input }).finalResponse(),
  "chat create": async (client, model) =>
    all(await client.chat.completions.create({ model, messages, stream: true })),
  "chat stream": (client, model) =>
    client.chat.completions.stream({ model, messages }).finalChatCompletion(),
  "completions create": async (client, model) =>
    all(await client.completions.create({ model, prompt: "x", stream: true })),
  "images generate": async (client, model) =>
    last(await client.images.generate({ model, prompt: "x", stream: true })),
  "images edit": async (client, model) => {
    const image = new File([new Uint8Array([137, 80, 78, 71])], "x.png", { type: "image/png" });
    return last(await client.images.edit({ model, prompt: "x", image, stream: true }));
  },
};

async function done(client, [call, name]) {
  try {
    return { final: await CALLS[call](client, name) };
  } catch (error) {
    return { raises: error.constructor.name };
  }
}

let text = "";
for await (const chunk of process.stdin) text += chunk;
const { address, jobs } = JSON.parse(text);
const client = new OpenAI({ apiKey: "none", baseURL: `${address}/v1`, maxRetries: 0 });
const results = [];
for (const job of jobs) results.push(await done(client, job));
process.stdout.write(JSON.stringify(results));
