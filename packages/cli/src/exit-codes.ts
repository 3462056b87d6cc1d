/** What the process ends with. Stable, for scripts and CI. */
export const exitCodes = {
  done: 0,
  failed: 1,
  wrongUse: 2,
  nothingFound: 3,
  interrupted: 130,
} as const;

/** What `--help` ends with. */
export const exitCodesHelp: string = `
Exit codes:
  0    done, found, or fresh
  1    failure; in check: an index that is stale, missing, damaged or of another base
  2    wrong use: an option, a command or the config is not valid
  3    look found nothing
  130  interrupted`;
