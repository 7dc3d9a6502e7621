import { randomBytes } from 'node:crypto'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { cipher, digest, keyedDigest, newToken, sameSecret, secretMatcher } from './secrets.ts'

const test = suite('secrets')
const box = cipher('stored-secret', ['current-secret-of-the-test'])

test('a sealed text opens again, and every seal differs', () => {
  for (const text of ['clé', '', 'x', 'xy', 'xyz', 'é'.repeat(5_000)]) assert.is(box.open(box.seal(text)), text)
  assert.is.not(box.seal('x'), box.seal('x'))
})

test('the form is {encryptedText}.{iv}.{tag} with a full tag', () => {
  const [, iv, tag] = box.seal('x').split('.')
  assert.is(Buffer.from(iv ?? '', 'base64url').length, 12)
  assert.is(Buffer.from(tag ?? '', 'base64url').length, 16)
})

test('a text sealed for one purpose does not open for another', () => {
  assert.is(cipher('access-token', ['current-secret-of-the-test']).open(box.seal('x')), undefined)
})

test('during a rotation the previous secret opens, and the retired one does not', () => {
  const sealedText = box.seal('x')
  assert.is(cipher('stored-secret', ['next', 'current-secret-of-the-test']).open(sealedText), 'x')
  assert.is(cipher('stored-secret', ['next']).open(sealedText), undefined)
})

test('a shortened tag is refused', () => {
  const [data, iv, tag] = box.seal('x').split('.')
  for (const bytes of [4, 8, 12, 15]) {
    const short = Buffer.from(tag ?? '', 'base64url')
      .subarray(0, bytes)
      .toString('base64url')
    assert.is(box.open(`${data}.${iv}.${short}`), undefined)
  }
})

test('base64url with other spare bits is refused', () => {
  const [data = '', iv, tag = ''] = box.seal('x').split('.')
  // The last of 22 characters carries four unused bits.
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  const last = alphabet.indexOf(tag.at(-1) ?? '')
  assert.is(box.open(`${data}.${iv}.${tag.slice(0, -1)}${alphabet[last ^ 1]}`), undefined)
  assert.is(box.open(`${data}=.${iv}.${tag}`), undefined)
  assert.is(box.open(`${data} .${iv}.${tag}`), undefined)
})

test('the same bytes in the other alphabet of base64 are refused', () => {
  let sealedText = box.seal('x')
  while (!/[-_]/.test(sealedText)) sealedText = box.seal('x')
  assert.is(box.open(sealedText), 'x')
  assert.is(box.open(sealedText.replaceAll('-', '+').replaceAll('_', '/')), undefined)
})

test('of 65,536 characters at any place only the original one opens', () => {
  for (const length of [1, 2, 3]) {
    const sealedText = box.seal('x'.repeat(length))
    const ends = [...sealedText.matchAll(/\.|$/g)].map(match => match.index)
    for (const position of [0, 10, 30, ...ends.flatMap(end => [end - 2, end - 1, end])]) {
      const openingCharacters: string[] = []
      for (let code = 0; code < 65_536; code++) {
        const character = String.fromCharCode(code)
        const mutant = sealedText.slice(0, position) + character + sealedText.slice(position + 1)
        if (box.open(mutant) !== undefined) openingCharacters.push(character)
      }
      assert.equal(
        openingCharacters,
        position < sealedText.length ? [sealedText[position]] : [],
        `${length} bytes, character ${position} of ${sealedText}`,
      )
    }
  }
})

test('of 100,000 mutated texts none opens, and none costs 5 ms at the 99th percentile', () => {
  const sealedText = box.seal(
    JSON.stringify({ userId: 'a'.repeat(24), permissions: ['view_members', 'create_content'] }),
  )
  const parts = sealedText.split('.')
  const mutations: ((r: Buffer) => string)[] = [
    r => sealedText.slice(0, r.readUInt16BE(0) % sealedText.length),
    r => flip(sealedText, r.readUInt16BE(0) % sealedText.length, r.readUInt8(2)),
    r => parts.toSorted(() => (r.readUInt8(0) & 1) - 0.5).join('.') + String.fromCharCode(33 + (r.readUInt8(1) % 90)),
    r => `${parts[0]}.${r.subarray(0, 12).toString('base64url')}.${parts[2]}`,
    r => `${parts[0]}.${parts[1]}.${Buffer.concat([r, r]).subarray(0, 16).toString('base64url')}`,
    r => `${parts[0]}..${parts[2]}${r.readUInt8(0)}`,
    r => `${sealedText}.${r.toString('base64url')}`,
    r => 'A'.repeat(r.readUInt16BE(0)),
  ]
  const times: number[] = []
  for (let i = 0; i < 100_000; i++) {
    const mutate = mutations[i % mutations.length]
    const mutant = mutate ? mutate(randomBytes(14)) : ''
    if (mutant === sealedText) continue
    // CPU time, which other processes on the machine don't affect.
    const cpuStart = process.cpuUsage()
    const openedText = box.open(mutant)
    const { user, system } = process.cpuUsage(cpuStart)
    times.push((user + system) / 1_000)
    assert.is(openedText, undefined, mutant)
  }
  times.sort((a, b) => a - b)
  assert.ok((times[Math.floor(times.length * 0.99)] ?? 99) < 5)
})

test('digests are SHA-256 in hexadecimal, a keyed one depends on its key', () => {
  assert.is(digest('abc'), 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
  assert.is.not(keyedDigest('a', '123456'), keyedDigest('b', '123456'))
})

test('random tokens do not repeat and secrets compare by value', () => {
  assert.is(new Set(Array.from({ length: 1000 }, newToken)).size, 1000)
  assert.ok(sameSecret('abc', 'abc'))
  assert.not.ok(sameSecret('abc', 'abcd'))
  const isKnown = secretMatcher(['abc', 'def'])
  assert.equal(['abc', 'def', 'abcd', 'ab', ''].map(isKnown), [true, true, false, false, false])
  assert.not.ok(secretMatcher([])('abc'))
})

/** The text with one bit of one character's code changed. */
const flip = (text: string, position: number, bit: number): string =>
  text.slice(0, position) + String.fromCharCode(text.charCodeAt(position) ^ (1 << (bit % 6))) + text.slice(position + 1)

test.run()
