const MOST_PROBLEMS = 50

/** Everything that is wrong with a request in one sentence; of very many problems, how many more there are. */
export function allProblems(problems: readonly string[]): string {
  const shown = problems.slice(0, MOST_PROBLEMS).join('; ')
  return problems.length > MOST_PROBLEMS
    ? `${shown}; and ${problems.length - MOST_PROBLEMS} more.`
    : `${shown}.`
}
