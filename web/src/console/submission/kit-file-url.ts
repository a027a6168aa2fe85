/** The address of a file of a kit, for previews and downloads. */
export const kitFileUrl = (kitId: string, path: string): string =>
  `/v1/kits/${kitId}/files/${path.split('/').map(encodeURIComponent).join('/')}`
