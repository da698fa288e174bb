/** One event of a stream. */
export interface StreamEvent {
  readonly name: string;
  readonly data: string;
}

/** Takes a stream of server-sent events apart, however it is cut into pieces. */
export class StreamParser {
  readonly #most: number;
  readonly #tell: (event: StreamEvent) => void;
  #text = '';
  #name = '';
  #data: string[] = [];
  #size = 0;
  /** The id of the last event, for coming back. */
  lastId = '';
  /** Milliseconds that the server wants a client to wait before it comes back. */
  retry: number | undefined;

  /**
   * @param most letters of one event
   * @param tell called with each event
   */
  constructor(most: number, tell: (event: StreamEvent) => void) {
    this.#most = most;
    this.#tell = tell;
  }

  /** @throws RangeError for an event of more letters than that */
  add(chunk: string): void {
    const lines = (this.#text + chunk).split(/\r\n|\n|\r(?!$)/);
    this.#text = lines.pop() ?? '';
    for (const line of lines) this.#line(line);
    if (this.#size + this.#text.length > this.#most) throw new RangeError(`An event has more than ${String(this.#most)} letters`);
  }

  #line(line: string): void {
    if (line === '') {
      if (this.#data.length > 0) this.#tell({ name: this.#name || 'message', data: this.#data.join('\n') });
      this.#name = '';
      this.#data = [];
      this.#size = 0;
      return;
    }
    const [, field = '', value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? [];
    this.#size += line.length;
    if (field === 'event') this.#name = value;
    else if (field === 'data') this.#data.push(value);
    else if (field === 'id' && !value.includes('\0')) this.lastId = value;
    else if (field === 'retry' && /^\d{1,8}$/.test(value)) this.retry = Number(value);
  }
}
