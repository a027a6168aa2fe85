export const REQUESTS = ['requests'] as const

/** Links of requests that were just created, until their page has shown them. They are not stored anywhere. */
const kept = new Map<string, string>()

export const keepLink = (requestId: string, url: string): void => void kept.set(requestId, url)

export const keptLink = (requestId: string): string | undefined => kept.get(requestId)

export const forgetLink = (requestId: string): void => void kept.delete(requestId)
