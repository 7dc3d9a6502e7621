import { createHash } from 'node:crypto'
import { Router } from 'express'
import { isText, keyAccepted } from './request-values.ts'

type SkyCondition = { icon: string; description: string }

const skyConditions: SkyCondition[] = [
  { icon: '01d', description: 'ciel dégagé' },
  { icon: '02d', description: 'peu nuageux' },
  { icon: '04d', description: 'couvert' },
  { icon: '10d', description: 'pluie modérée' },
  { icon: '11d', description: 'orage' },
  { icon: '50d', description: 'brume' },
]

type Place = { name: string; country: string; seed: Buffer }

/**
 * The weather provider, shaped like OpenWeather 2.5: metric and in French. A city's weather never changes; `inconnu`, `unknown` and `nowhere`
 * don't exist.
 */
export function weatherRoutes(): Router {
  const router = Router()
  router.use((req, res, next) => {
    if (keyAccepted(isText(req.query['appid']) ? req.query['appid'] : undefined)) return next()
    res.status(401).json({ cod: 401, message: 'Invalid API key.' })
  })
  router.get(['/data/2.5/weather', '/data/2.5/forecast'], (req, res) => {
    const { q } = req.query
    if (!isText(q)) return void res.status(400).json({ cod: '400', message: 'Nothing to geocode' })
    const place = placeOf(q)
    if (!place) return void res.status(404).json({ cod: '404', message: 'city not found' })
    res.json(req.path.endsWith('/weather') ? current(place) : forecast(place))
  })
  return router
}

function placeOf(q: string): Place | undefined {
  const [name = '', ...rest] = q.split(',').map(part => part.trim())
  if (name.length === 0 || q.length > 120 || !/\p{L}/u.test(name) || /inconnu|unknown|nowhere/i.test(name))
    return undefined
  const code = rest.at(-1) ?? ''
  const seed = createHash('sha256').update(name.normalize('NFC').toLowerCase()).digest()
  return { name, country: /^[A-Za-z]{2}$/.test(code) ? code.toUpperCase() : 'FR', seed }
}

function instant({ seed }: Place, step: number) {
  const byteAt = (i: number) => seed[(i + step) % 32] ?? 0
  const celsius = 4 + ((seed[1] ?? 0) % 24) + 4 * Math.sin((step * Math.PI) / 4) + (byteAt(2) % 20) / 10
  const temperature = (offset: number) => toHundredths(celsius + offset)
  return {
    main: {
      temp: temperature(0),
      feels_like: temperature(-1.3),
      temp_min: temperature(-1),
      temp_max: temperature(1),
      humidity: 35 + (byteAt(4) % 60),
    },
    weather: [skyConditions[(byteAt(0) >> 2) % skyConditions.length]],
    wind: { speed: toHundredths((byteAt(6) % 120) / 10) },
  }
}

const toHundredths = (value: number): number => Math.round(value * 100) / 100

const current = (place: Place) => ({
  ...instant(place, 0),
  dt: Math.floor(Date.now() / 1000),
  sys: { country: place.country },
  timezone: 3600,
  name: place.name,
  cod: 200,
})

/** Five days in steps of three hours. */
function forecast(place: Place) {
  const first = Math.ceil(Date.now() / 10_800_000) * 10_800
  const list = Array.from({ length: 40 }, (_, step) => ({ dt: first + step * 10_800, ...instant(place, step) }))
  return { cod: '200', list, city: { name: place.name, country: place.country, timezone: 3600 } }
}
