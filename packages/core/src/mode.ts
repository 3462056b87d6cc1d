/** How a base searches: by meaning, by words, or both. */
export type Mode = 'meaning' | 'keyword' | 'hybrid';
