/**
 * Has `run` never overlap itself. Calls while it runs share one further run, so that each of them sees all that
 * happened before it was made.
 */
export function oneAtATime(run: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  let waiting: Promise<void> | undefined;
  const begin = (): Promise<void> => {
    running = run().finally(() => {
      running = undefined;
    });
    return running;
  };
  const wait = async (current: Promise<void> | undefined): Promise<void> => {
    await current?.catch(() => undefined);
    waiting = undefined;
    await begin();
  };
  return () => {
    if (!running && !waiting) return begin();
    waiting ??= wait(running);
    return waiting;
  };
}
