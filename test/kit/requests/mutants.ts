const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'

/** Forgeries derived from one valid token of the form {text}.{iv}.{tag}, all different from it. */
export function* mutantsOf(token: string, count: number): Generator<string> {
  const [text = '', iv = '', tag = ''] = token.split('.')
  const shapes = [
    ...Array.from(
      { length: 12 },
      (_, at) =>
        `${text}.${iv}.${Buffer.from(tag, 'base64url')
          .subarray(0, 4 + at)
          .toString('base64url')}`,
    ),
    `${text}.${iv}`,
    `${token}.${tag}`,
    `.${iv}.${tag}`,
    `${text}..${tag}`,
    `${text}.${iv}.`,
    `${text}.${iv}.${tag}=`,
    `${text}.${iv}.${tag}==`,
    `${iv}.${text}.${tag}`,
    `${text}.${tag.slice(0, 16)}.${tag}`,
    `${text.slice(0, -4)}.${iv}.${tag}`,
    `${text}AAAA.${iv}.${tag}`,
    'null',
    'undefined',
    '..',
    'eyJhbGciOiJub25lIn0.e30.',
  ]
  yield* shapes.slice(0, count)
  // Then every character is replaced, one after another.
  for (let made = shapes.length, at = 0; made < count; at = (at + 1) % token.length) {
    if (token[at] === '.') continue
    const others = alphabet.replace(token[at] ?? '', '')
    const other = others[(made * 7 + at) % others.length] ?? ''
    yield token.slice(0, at) + other + token.slice(at + 1)
    made++
  }
}
