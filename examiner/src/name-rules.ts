/** What is wrong with the name of a file. */
export const NAME_RULES = {
  name_traversal: {
    class: 'danger',
    message: 'The name contains ".." and points outside its folder.',
    remedy: 'Pack the files from inside their folder.',
  },
  name_absolute: {
    class: 'danger',
    message: 'The name is an absolute path.',
    remedy: 'Pack the files with relative paths.',
  },
  name_backslash: {
    class: 'damage',
    message:
      'The name contains a backslash, which is a folder separator on Windows only. In the kit it is one.',
    remedy:
      'Pack the files again with "/" between folders. Windows Explorer, 7-Zip and PowerShell 7 do that; older versions of Compress-Archive and .NET do not.',
  },
  name_not_unicode: {
    class: 'danger',
    message: 'The encoding of the name is unknown.',
    remedy: 'Pack the files again with a tool that writes UTF-8 names, or use only ASCII characters.',
  },
  name_decoded: {
    class: 'notice',
    message:
      'The name in the archive is not marked as UTF-8. It was decoded, and programs may show another one.',
    remedy: 'Check that the name is right. Current versions of common tools write UTF-8 names.',
  },
  name_changed: {
    class: 'notice',
    message: 'The name has a dot or space at the end of a part. In the kit it is left out, as Windows does.',
    remedy: 'Nothing to do.',
  },
  name_unportable: {
    class: 'notice',
    message: 'The name has characters that Windows cannot store.',
    remedy: 'Nothing to do. Reviewers on Windows may need a program that replaces them.',
  },
  name_forbidden: {
    class: 'danger',
    message: 'The name is not valid on every operating system.',
    remedy:
      'Rename it: no control characters, no names that Windows reserves, no part of dots and spaces alone, at most 255 bytes per part and 1,024 in total.',
  },
  name_direction: {
    class: 'danger',
    message: 'The name contains invisible characters that change the text direction and can disguise it.',
    remedy: 'Retype the name without them.',
  },
  name_collision: {
    class: 'danger',
    message: 'Another file has the same name, or one that some operating systems treat as the same.',
    remedy: 'Rename one of the two.',
  },
} as const
