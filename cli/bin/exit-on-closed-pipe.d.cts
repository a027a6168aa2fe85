export function exitOnClosedPipe(command: string | undefined): void
