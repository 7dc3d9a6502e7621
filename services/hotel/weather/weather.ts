import { LRUCache } from 'lru-cache'
import { WeatherService } from '../../../gen/platform/hotel/v1/weather_pb.ts'
import { toRpcError } from '../../kernel/base/errors.ts'
import type { Rpc } from '../../kernel/rpc/implement.ts'
import { implement } from '../../kernel/rpc/implement.ts'
import type { Weather } from './provider.ts'

/** Older weather is useless. */
const keptMs = 86_400_000
/** Delay before a failed provider is called again. */
const restMs = 10_000

type CachedWeather = { storedAt: number; weather: Weather }
type AskWeather = (city: string, retries: boolean) => Promise<Weather>

/**
 * Weather of a city, cached; the last good answer while the provider is down.
 * @param freshSeconds how long an answer is cached
 */
export const weatherService = (provider: AskWeather, freshSeconds: number, clock: () => number = Date.now): Rpc => {
  const weatherByCity = new LRUCache<string, CachedWeather>({ max: 1_000 })
  const runningCalls = new Map<string, Promise<CachedWeather>>()
  const failureTimes = new LRUCache<string, number>({ max: 1_000 })

  const load = (key: string, city: string, retries: boolean): Promise<CachedWeather> => {
    const runningCall = runningCalls.get(key)
    if (runningCall) return runningCall
    const call = provider(city, retries)
      .then(weather => {
        const entry = { storedAt: clock(), weather }
        weatherByCity.set(key, entry)
        failureTimes.delete(key)
        return entry
      })
      .finally(() => runningCalls.delete(key))
    runningCalls.set(key, call)
    return call
  }

  return implement(WeatherService, {
    async getWeather({ city }, context) {
      const name = city.trim().normalize('NFC')
      const key = name.toLowerCase()
      const cachedWeather = weatherByCity.get(key)
      const age = cachedWeather ? clock() - cachedWeather.storedAt : Infinity
      if (cachedWeather && age < freshSeconds * 1000) return cachedWeather.weather
      const staleWeather = cachedWeather && age < keptMs ? cachedWeather : undefined
      const answerStale = ({ weather }: CachedWeather) => {
        context.responseHeader.set('age', String(Math.floor(age / 1000)))
        context.responseHeader.set('warning', '110 - "Response is Stale"')
        return weather
      }
      if (staleWeather && clock() - (failureTimes.get(key) ?? -Infinity) < restMs) return answerStale(staleWeather)
      try {
        // With a cached answer to fall back on, doesn't wait for retries.
        return (await load(key, name, !staleWeather)).weather
      } catch (error) {
        if (!staleWeather || toRpcError(error).info.status === 404) throw error
        failureTimes.set(key, clock())
        return answerStale(staleWeather)
      }
    },
  })
}
