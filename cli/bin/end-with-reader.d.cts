export function endWithReader(): void
