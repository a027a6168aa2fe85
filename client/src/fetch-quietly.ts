/**
 * Fetches for a page of the service. Browsers log every error status as an error of the page, also one that the page expects and
 * explains. Such errors come with status 200 and their own in a header.
 */
export async function fetchQuietly(url: string, init: RequestInit = {}): Promise<Response> {
  const headers = new Headers(init.headers)
  headers.set('x-errors', 'quiet')
  const response = await fetch(url, { ...init, headers })
  const status = Number(response.headers.get('x-error-status') ?? 200)
  return status === 200 ? response : new Response(response.body, { status, headers: response.headers })
}
