/** One address, without a name. The service accepts no other characters. */
export const EMAIL = /^[^\s@"<>()[\]\\,;:]+@[^\s@"<>()[\]\\,;:]+$/u
