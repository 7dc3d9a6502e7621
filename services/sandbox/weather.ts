import { createHash } from 'node:crypto'
import { Router } from 'express'
import { isText, keyAccepted, plain } from './wire.ts'

type Sky = { id: number; main: string; icon: string; fr: string; en: string }

const skies: Sky[] = [
  { id: 800, main: 'Clear', icon: '01d', fr: 'ciel dégagé', en: 'clear sky' },
  { id: 801, main: 'Clouds', icon: '02d', fr: 'peu nuageux', en: 'few clouds' },
  { id: 802, main: 'Clouds', icon: '03d', fr: 'partiellement nuageux', en: 'scattered clouds' },
  { id: 804, main: 'Clouds', icon: '04d', fr: 'couvert', en: 'overcast clouds' },
  { id: 500, main: 'Rain', icon: '10d', fr: 'légère pluie', en: 'light rain' },
  { id: 501, main: 'Rain', icon: '10d', fr: 'pluie modérée', en: 'moderate rain' },
  { id: 211, main: 'Thunderstorm', icon: '11d', fr: 'orage', en: 'thunderstorm' },
  { id: 701, main: 'Mist', icon: '50d', fr: 'brume', en: 'mist' },
]

type Place = { name: string; country: string; seed: Buffer }

/**
 * The weather provider, shaped like OpenWeather 2.5. A city's weather never changes; `inconnu`, `unknown` and `nowhere`
 * don't exist.
 */
export function weatherRoutes(): Router {
  const router = Router()
  router.use((req, res, next) => {
    if (keyAccepted(isText(req.query['appid']) ? req.query['appid'] : undefined)) return next()
    res.status(401).json({ cod: 401, message: 'Invalid API key.' })
  })
  router.get(['/data/2.5/weather', '/data/2.5/forecast'], (req, res) => {
    const { q, units, lang, cnt } = req.query
    if (!isText(q)) return void res.status(400).json({ cod: '400', message: 'Nothing to geocode' })
    const place = placeOf(q)
    if (!place) return void res.status(404).json({ cod: '404', message: 'city not found' })
    const options = { units: plain(units), french: lang === 'fr' }
    if (req.path.endsWith('/weather')) return void res.json(current(place, options))
    const count = isText(cnt, 3) && /^\d+$/.test(cnt) ? Math.min(40, Math.max(1, Number(cnt))) : 40
    res.json(forecast(place, options, count))
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

type WeatherOptions = { units: string; french: boolean }

function instant({ seed }: Place, { units, french }: WeatherOptions, step: number) {
  const byteAt = (i: number) => seed[(i + step) % 32] ?? 0
  const sky = skies[(byteAt(0) >> 2) % skies.length] ?? (skies[0] as Sky)
  const celsius = 4 + ((seed[1] ?? 0) % 24) + 4 * Math.sin((step * Math.PI) / 4) + (byteAt(2) % 20) / 10
  const temperature = (offset: number) => round(convert(celsius + offset, units))
  return {
    main: {
      temp: temperature(0),
      feels_like: temperature(-1.3),
      temp_min: temperature(-1),
      temp_max: temperature(1),
      pressure: 1000 + (byteAt(3) % 30),
      humidity: 35 + (byteAt(4) % 60),
    },
    weather: [{ id: sky.id, main: sky.main, description: french ? sky.fr : sky.en, icon: sky.icon }],
    clouds: { all: byteAt(5) % 101 },
    wind: { speed: round((byteAt(6) % 120) / 10), deg: (byteAt(7) * 17) % 360 },
    visibility: 10_000,
  }
}

const convert = (celsius: number, units: string): number =>
  units === 'metric' ? celsius : units === 'imperial' ? celsius * 1.8 + 32 : celsius + 273.15
const round = (value: number): number => Math.round(value * 100) / 100

const whereOf = ({ seed }: Place) => ({
  id: seed.readUInt32BE(8) % 9_000_000,
  coord: { lon: round((seed[12] ?? 0) / 25), lat: round(42 + (seed[13] ?? 0) / 32) },
})

function current(place: Place, options: WeatherOptions) {
  const now = Math.floor(Date.now() / 1000)
  const midnight = now - (now % 86_400)
  const { id, coord } = whereOf(place)
  return {
    coord,
    ...instant(place, options, 0),
    base: 'stations',
    dt: now,
    sys: { country: place.country, sunrise: midnight + 6 * 3600, sunset: midnight + 19 * 3600 },
    timezone: 3600,
    id,
    name: place.name,
    cod: 200,
  }
}

function forecast(place: Place, options: WeatherOptions, count: number) {
  const first = Math.ceil(Date.now() / 10_800_000) * 10_800
  const list = Array.from({ length: count }, (_, step) => {
    const dt = first + step * 10_800
    return {
      dt,
      ...instant(place, options, step),
      pop: 0,
      sys: { pod: 'd' },
      dt_txt: new Date(dt * 1000).toISOString().slice(0, 19).replace('T', ' '),
    }
  })
  const { id, coord } = whereOf(place)
  const city = { id, name: place.name, coord, country: place.country, population: 0, timezone: 3600 }
  return { cod: '200', message: 0, cnt: count, list, city }
}
