// The official Node client as an implementation, by one of the two calls that a user has:
//   node openai_runner.mjs create     events as they come
//   node openai_runner.mjs stream     events, the final object and its text
// Reads the runner protocol; never opens a connection: a `fetch` hands the pieces to the client, whose decoder cuts them.

import { pathToFileURL } from 'node:url';
import { Skip, pieces, require, serve } from './protocol.mjs';

const { default: OpenAI } = await import(pathToFileURL(require.resolve('openai').replace(/\.js$/, '.mjs')));
const { VERSION: version } = require('openai/version');

// What the client adds to the objects of the API; to a finished tool call also the `index` that its pieces had.
const own = new Set(['parsed', 'parsed_arguments', 'output_text', 'output_parsed']);
// Streams of one class of events, which the client takes for one whatever it says itself.
const only = { chat: 'chat.completion.chunk', completions: 'text_completion' };
const created = (stream, create) => async (api) => ({ tags: (await events(stream, await create(api))).tags });
const calls = {
  create: {
    responses: created('responses', (api) => api.responses.create({ model: 'm', input: 'x', stream: true })),
    'beta-responses': created('beta-responses', (api) => api.beta.responses.create({ model: 'm', input: 'x', stream: true })),
    chat: created('chat', (api) => api.chat.completions.create({ model: 'm', messages: [], stream: true })),
    completions: created('completions', (api) => api.completions.create({ model: 'm', prompt: 'x', stream: true })),
    'images-generations': created('images-generations', (api) => api.images.generate({ model: 'm', prompt: 'x', stream: true })),
    'images-edits': created('images-edits', (api) => api.images.edit({ model: 'm', image: new File(['x'], 'x.png'), prompt: 'x', stream: true })),
  },
  stream: { responses, chat },
}[process.argv[2]];
const accumulates = process.argv[2] === 'stream';

const claims = {
  implementation: 'openai',
  version,
  language: 'JavaScript',
  operations: accumulates ? ['stream', 'accumulate'] : ['stream'],
  streams: Object.keys(calls),
  dialects: [],
  asserts: accumulates ? ['tags', 'final', 'text'] : ['tags'],
  blurs: ['numbers', 'nulls'],
};

await serve(claims, async (message) => {
  if (Object.values(message.options).some(Boolean)) throw new Skip('has no such option');
  const found = await calls[message.stream](clientOf(bodyOf(message)));
  if (message.operation === 'accumulate') delete found.tags;
  return found;
});

function bodyOf(message) {
  if (message.operation === 'stream') return pieces(message);
  if (Object.keys(message.given).join() !== 'events') throw new Skip('cannot be fed the rest of a stream');
  return message.given.events.map((event) => {
    const line = typeof event.type === 'string' ? `event: ${event.type}\n` : '';
    return new TextEncoder().encode(`${line}data: ${JSON.stringify(event)}\n\n`);
  });
}

function clientOf(body) {
  const fetch = async () => {
    const stream = new ReadableStream({
      start(controller) {
        for (const piece of body) controller.enqueue(piece);
        controller.close();
      },
    });
    return new Response(stream, { headers: { 'content-type': 'text/event-stream' } });
  };
  return new OpenAI({ apiKey: 'none', baseURL: 'http://peer', maxRetries: 0, logLevel: 'off', fetch });
}

async function responses(api) {
  const stream = api.responses.stream({ model: 'm', input: 'x' });
  const { tags, whole } = await events('responses', stream);
  if (!whole) return { tags, text: '' };
  const final = await stream.finalResponse();
  return { tags, final: withoutOwn(final), text: final.output_text };
}

async function chat(api) {
  const stream = api.chat.completions.stream({ model: 'm', messages: [] });
  const { tags, whole } = await events('chat', stream);
  if (!whole) return { tags, text: textOf(stream.currentChatCompletionSnapshot) };
  const final = await stream.finalChatCompletion();
  return { tags, final: withoutOwn(final), text: textOf(final) };
}

function textOf(completion) {
  return completion?.choices[0]?.message.content ?? '';
}

// The tags of the events, and whether there is a final object. An error of the API that the client throws in place of an event
// is an event, too, and the last; a body without any event has no final object here, and that is all that it says.
async function events(stream, found) {
  const tags = [];
  try {
    for await (const event of found) {
      const tag = only[stream] ? event.object : event.type;
      tags.push(typeof tag === 'string' && tag ? tag : only[stream] ?? null);
    }
    return { tags, whole: true };
  } catch (error) {
    if (error instanceof OpenAI.APIError) tags.push(only[stream] ?? 'error');
    else if (!/^request ended without sending any/.test(error?.message)) throw error;
    return { tags, whole: false };
  }
}

function withoutOwn(value) {
  if (Array.isArray(value)) return value.map(withoutOwn);
  if (value === null || typeof value !== 'object') return value;
  const isCall = 'function' in value || 'custom' in value;
  const kept = Object.entries(value).filter(([name]) => !own.has(name) && !(isCall && name === 'index'));
  return Object.fromEntries(kept.map(([name, item]) => [name, withoutOwn(item)]));
}
