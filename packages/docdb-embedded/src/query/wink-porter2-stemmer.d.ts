declare module 'wink-porter2-stemmer' {
  /** @returns the stem of an English word in small letters, by the rules of Porter's second algorithm */
  export default function stem(word: string): string;
}
