/** URLs of time-stamp authorities, separated by commas; undefined if one is not valid, or appears twice. */
export function readAuthorityUrls(value: string): readonly string[] | undefined {
  const urls = value.split(',').map((part) => part.trim())
  return urls.every(isAuthorityUrl) && new Set(urls).size === urls.length ? urls : undefined
}

function isAuthorityUrl(value: string): boolean {
  if (!URL.canParse(value)) return false
  const { protocol, username, password, hash } = new URL(value)
  return /^https?:$/.test(protocol) && username === '' && password === '' && hash === ''
}
