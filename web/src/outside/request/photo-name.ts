/** Cameras call every photo `image.jpg`, or by a number. This one says when it was taken: `photo-2026-11-18-094512.jpg`. */
export function photoName(
  { name, type }: Pick<File, 'name' | 'type'>,
  at: Date,
  taken: readonly string[],
): string {
  const day = [at.getFullYear(), two(at.getMonth() + 1), two(at.getDate())].join('-')
  const stem = `photo-${day}-${[at.getHours(), at.getMinutes(), at.getSeconds()].map(two).join('')}`
  const ending = (/\.(\w{1,5})$/.exec(name)?.[1] ?? ENDINGS[type] ?? 'jpg').toLowerCase()
  const used = new Set(taken)
  let number = 1
  const numbered = (): string => `${stem}${number === 1 ? '' : `-${number}`}.${ending}`
  while (used.has(numbered())) number += 1
  return numbered()
}

const two = (part: number): string => String(part).padStart(2, '0')

const ENDINGS: Readonly<Record<string, string>> = {
  'image/png': 'png',
  'image/webp': 'webp',
  'image/heic': 'heic',
}
