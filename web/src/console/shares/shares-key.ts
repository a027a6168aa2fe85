/** The queries of shares. */
export const SHARES = ['shares'] as const
