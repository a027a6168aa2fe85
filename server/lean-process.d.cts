export function becomeLean(): void
