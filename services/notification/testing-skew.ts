/* Preloaded by processes whose clock is to be wrong: CLOCK_SKEW_MS says by how much. */
const skew = Number(process.env['CLOCK_SKEW_MS'] ?? 0)
const Right = Date

globalThis.Date = new Proxy(Right, {
  construct: (of, given, target) =>
    Reflect.construct(of, given.length > 0 ? given : [Right.now() + skew], target) as object,
  get: (of, name) => (name === 'now' ? () => Right.now() + skew : Reflect.get(of, name)),
})
