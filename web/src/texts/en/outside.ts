/** Pages that people without an account open by a link. */
export const outside = {
  titles: {
    expired: 'This link has expired',
    revoked: 'This link was revoked',
    replaced: 'This link was replaced',
    not_found: 'This link is not valid',
    exhausted: 'The download limit is reached',
    closed: 'This link is closed',
  },
}
