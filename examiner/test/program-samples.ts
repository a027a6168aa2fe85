/** The headers of programs, which hold and run nothing. */
export function windowsProgram(): Buffer {
  const bytes = Buffer.alloc(300)
  bytes.write('MZ\x90\0\x03\0\0\0', 'latin1')
  bytes.writeUInt32LE(128, 60)
  bytes.write('PE\0\0', 128, 'latin1')
  bytes.writeUInt16LE(0x8664, 132)
  return bytes
}

export function linuxProgram(): Buffer {
  const bytes = Buffer.alloc(200)
  bytes.write('\x7fELF\x02\x01\x01', 'latin1')
  bytes.writeUInt16LE(2, 16)
  bytes.writeUInt16LE(0x3e, 18)
  bytes.writeUInt32LE(1, 20)
  return bytes
}

export function macProgram(): Buffer {
  const bytes = Buffer.alloc(200)
  for (const [index, word] of [0xfeedfacf, 0x01000007, 3, 2, 10, 400].entries())
    bytes.writeUInt32LE(word, index * 4)
  return bytes
}
