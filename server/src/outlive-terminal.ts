/** A terminal that is closed, or a log reader that has died, is no reason for the service to end. */
export function outliveTerminal(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
}
