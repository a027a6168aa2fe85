/** Keeps the service running if its terminal closes or the log reader dies. */
export function outliveTerminal(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
}
