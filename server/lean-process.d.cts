export function becomeLean(): void

/** What a process that is started with them need not replace. */
export const LEAN: { readonly option: string; readonly variables: Readonly<Record<string, string>> }
