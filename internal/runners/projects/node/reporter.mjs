/** Tells each test by a line of JSON: what the reporters of Node.js print is for people. */
export default async function* reporter(events) {
  for await (const { type, data } of events) {
    if ((type === 'test:pass' || type === 'test:fail') && data.details.type !== 'suite')
      yield `${JSON.stringify([data.name, type === 'test:pass'])}\n`;
  }
}
