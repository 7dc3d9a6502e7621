import { z } from 'zod'
import { ExternalServiceError, NotFoundError } from '../../kernel/base/errors.ts'
import type { Provider } from '../../kernel/provider/provider.ts'
import { fromProvider } from '../outside/calls.ts'

const providerName = 'The weather provider'
const conditions = z.array(z.object({ description: z.string(), icon: z.string() })).min(1)
const currentWeather = z.object({
  name: z.string(),
  sys: z.object({ country: z.string().default('') }),
  main: z.object({ temp: z.number(), feels_like: z.number(), humidity: z.number() }),
  weather: conditions,
  wind: z.object({ speed: z.number() }),
})
const step = z.object({
  dt: z.number(),
  main: z.object({ temp_min: z.number(), temp_max: z.number() }),
  weather: conditions,
})
const forecast = z.object({ list: z.array(step), city: z.object({ timezone: z.number().default(0) }) })

export type Weather = Awaited<ReturnType<ReturnType<typeof weatherProvider>>>
type Step = z.infer<typeof step>
type Query = { city: string; retries: boolean }

/**
 * Weather of a city, metric and in French; without `retries`, the first failure is thrown. NotFoundError for an unknown
 * city, else ExternalServiceError.
 */
export function weatherProvider(config: { WEATHER_BASE_URL: string; WEATHER_API_KEY: string }, provider: Provider) {
  const base = config.WEATHER_BASE_URL.replace(/\/+$/, '')
  async function call<T>(path: string, { city, retries }: Query, schema: z.ZodType<T>): Promise<T> {
    const query = new URLSearchParams({ q: city, units: 'metric', lang: 'fr', appid: config.WEATHER_API_KEY })
    const url = `${base}/data/2.5/${path}?${query}`
    const answer = await fromProvider(providerName, provider, { operation: path, isRepeatable: true, retries, url })
    if (answer.status === 404) throw new NotFoundError('City not found')
    const parseResult = schema.safeParse(answer.body)
    if (answer.status !== 200 || !parseResult.success)
      throw new ExternalServiceError(`${providerName} failed`, {
        cause: new Error(`${path} answered ${answer.status}`),
      })
    return parseResult.data
  }
  return async (city: string, retries = true) => {
    const query = { city, retries }
    const [now, next] = await Promise.all([call('weather', query, currentWeather), call('forecast', query, forecast)])
    return {
      city: now.name,
      country: now.sys.country,
      temperature: now.main.temp,
      feelsLike: now.main.feels_like,
      humidity: Math.round(now.main.humidity),
      description: now.weather[0]?.description ?? '',
      icon: now.weather[0]?.icon ?? '',
      windSpeed: now.wind.speed,
      forecast: byDay(next.list, next.city.timezone),
    }
  }
}

/**
 * Groups three-hour steps by the days of the city's own time zone; the description is that of the step nearest to noon.
 */
export function byDay(steps: readonly Step[], offsetSeconds: number) {
  const days = new Map<string, Step[]>()
  for (const step of steps) {
    const date = localTime(step, offsetSeconds).toISOString().slice(0, 10)
    days.set(date, [...(days.get(date) ?? []), step])
  }
  const fromNoon = (step: Step) => Math.abs(localTime(step, offsetSeconds).getUTCHours() - 12)
  return [...days].map(([date, parts]) => ({
    date,
    tempMax: Math.max(...parts.map(part => part.main.temp_max)),
    tempMin: Math.min(...parts.map(part => part.main.temp_min)),
    description: parts.toSorted((a, b) => fromNoon(a) - fromNoon(b))[0]?.weather[0]?.description ?? '',
  }))
}

const localTime = ({ dt }: Step, offsetSeconds: number): Date => new Date((dt + offsetSeconds) * 1000)
