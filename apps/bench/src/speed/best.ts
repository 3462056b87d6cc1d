/** How many passages a question is answered with. */
export const best = 3;
