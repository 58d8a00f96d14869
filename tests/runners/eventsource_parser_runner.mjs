// `eventsource-parser` as an implementation: its parser behind the platform's text decoder, as its README shows, with the last
// event ID kept from `onId`, as that callback's documentation says. Reads the runner protocol; never opens a connection.

import { pathToFileURL } from 'node:url';
import { Skip, pieces, require, serve } from './protocol.mjs';

const { createParser } = await import(pathToFileURL(require.resolve('eventsource-parser')));
const { version } = require('eventsource-parser/package.json');

const claims = {
  implementation: 'eventsource-parser',
  version,
  language: 'JavaScript',
  operations: ['sse'],
  streams: [],
  dialects: [],
  asserts: ['events', 'last_event_id', 'retry'],
};

await serve(claims, async (message) => {
  if (Object.keys(message.options).length) throw new Skip('has no such option');
  const found = { events: [], last_event_id: '' };
  const parser = createParser({
    // An event without a name has none here; the standard calls it "message".
    onEvent: ({ event, data }) => found.events.push({ event: event ?? 'message', data, id: found.last_event_id }),
    onId: (id) => (found.last_event_id = id),
    onRetry: (retry) => (found.retry = retry),
  });
  const decoder = new TextDecoder();
  for (const piece of pieces(message)) parser.feed(decoder.decode(piece, { stream: true }));
  parser.feed(decoder.decode());
  return found;
});
