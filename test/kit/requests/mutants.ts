const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'

/** Forgeries derived from one valid token of the form {text}.{iv}.{tag}, all different from it. */
export function* mutantsOf(token: string, count: number): Generator<string> {
  const [text = '', iv = '', tag = ''] = token.split('.')
  const shapes = [
    ...Array.from(
      { length: 12 },
      (_, index) =>
        `${text}.${iv}.${Buffer.from(tag, 'base64url')
          .subarray(0, 4 + index)
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
  for (let mutantCount = shapes.length, index = 0; mutantCount < count; index = (index + 1) % token.length) {
    if (token[index] === '.') continue
    const replacements = alphabet.replace(token[index] ?? '', '')
    const replacement = replacements[(mutantCount * 7 + index) % replacements.length] ?? ''
    yield token.slice(0, index) + replacement + token.slice(index + 1)
    mutantCount++
  }
}
