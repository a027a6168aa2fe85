export function exitOnClosedPipe(): void
