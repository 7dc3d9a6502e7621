import { assert, suite } from '../../../../test/kit/kit.ts'
import { contrast, hotelAccents, inkOn, mixColours, readableOn, sixDigits } from './colours.ts'

const test = suite('colours')

const steps = Array.from({ length: 18 }, (_, index) => index * 15)
const colours = steps.flatMap(red =>
  steps.flatMap(green =>
    steps.map(blue => `#${[red, green, blue].map(part => part.toString(16).padStart(2, '0')).join('')}`),
  ),
)

test('black or white reads at 4.5 to 1 or better on any colour', () => {
  for (const colour of colours) assert.ok(contrast(colour, inkOn(colour)) >= 4.5, colour)
})

test('what is no colour is the fallback', () => {
  assert.equal(
    ['#AbC', '#7A1F3D', 'red', '#12', '#12345g'].map(colour => sixDigits(colour, '#1e40af')),
    ['#aabbcc', '#7a1f3d', '#1e40af', '#1e40af', '#1e40af'],
  )
})

test('a colour that reads on its ground stays, and any other becomes a tint or shade that does', () => {
  assert.is(readableOn('#ffffff', '#7a1f3d'), '#7a1f3d')
  for (const ground of ['#fff', '#000000', '#767676', '#ffe066'])
    for (const colour of colours) assert.ok(contrast(readableOn(ground, colour), ground) >= 4.5, `${colour} ${ground}`)
})

test('a hotel’s colour reads at 4.5 to 1 or better on every ground of the interface, and its ink on it', () => {
  const grounds = {
    light: ['#ffffff', '#f7f6f3', '#efede8', '#fbf1d9'],
    dark: ['#15181b', '#1e2327', '#272d32', '#101316', '#35301c'],
  }
  const inks = { light: '#ffffff', dark: '#101316' }
  for (const colour of colours) {
    const accents = hotelAccents(colour)
    for (const scheme of ['light', 'dark'] as const) {
      const accent = accents[scheme]
      // A wash of the colour itself, as base.css mixes it.
      const wash = mixColours(scheme === 'light' ? '#ffffff' : '#1e2327', accent, 0.1)
      for (const ground of [...grounds[scheme], wash, inks[scheme]])
        assert.ok(contrast(accent, ground) >= 4.5, `${colour} ${scheme} ${accent} on ${ground}`)
    }
  }
})

test.run()
