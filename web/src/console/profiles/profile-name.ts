const MAX_NAME_LENGTH = 60

/** A title as a name: lower-case letters, digits and hyphens. */
export const nameOf = (title: string): string =>
  title
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, MAX_NAME_LENGTH)
    .replaceAll(/^-+|-+$/g, '')
