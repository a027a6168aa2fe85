export function buildPages(
  root: string,
  node: string,
  log: (text: string) => void,
  quick?: boolean,
): Promise<void>
