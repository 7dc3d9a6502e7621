/*
 * Health check for containers: exits with 0 when a process can work, else with 1.
 *   node cli/probe.ts http://127.0.0.1:4001          an RPC port, checked by grpc.health.v1
 *   node cli/probe.ts http://127.0.0.1:3000/ready    a page, which must answer with a 2xx
 */
const [target = ''] = process.argv.slice(2)

async function isWell(url: URL): Promise<boolean> {
  const signal = AbortSignal.timeout(4_000)
  if (url.pathname !== '/') return (await fetch(url, { signal })).ok
  const response = await fetch(new URL('/grpc.health.v1.Health/Check', url), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{}',
    signal,
  })
  const answer = (await response.json()) as { status?: string }
  return answer.status === 'SERVING'
}

try {
  const well = await isWell(new URL(target))
  if (!well) console.error(`${target} is unhealthy`)
  process.exitCode = well ? 0 : 1
} catch (error) {
  console.error(`${target} is not responding: ${String(error)}`)
  process.exitCode = 1
}
