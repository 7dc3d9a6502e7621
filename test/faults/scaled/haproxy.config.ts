import type { Node } from '../cluster/galera.ts'
import type { Place } from '../cluster/places.ts'

/** A port of the balancer, and the places that listen on the same one. */
export type Front = { name: string; port: number; places: readonly Place[] }

/*
 * A server is left after three failed probes. Connections to one that is cut off close after five seconds: the kernel
 * probes those that wait for an answer (srvtcpka), tcp-ut ends those that send. A failed probe doesn't close them,
 * because a server that drains fails it, too.
 */
const defaults = `defaults
  retries 3
  option redispatch 1
  timeout connect 1s
  timeout check 3s
  timeout client 70s
  timeout server 70s
  timeout http-keep-alive 60s
  timeout tunnel 1h
  option srvtcpka
  srvtcpka-idle 2s
  srvtcpka-intvl 1s
  srvtcpka-cnt 3
  option clitcpka
  clitcpka-idle 2s
  clitcpka-intvl 1s
  clitcpka-cnt 3
  default-server check inter 1s fall 3 rise 1 tcp-ut 5s
`

/** The web client, whose /ready tells of the edge alone: that of a REST port also fails without its service. */
const web = (host: string, front: Front): string => `listen ${front.name}
  mode http
  bind ${host}:${front.port}
  balance roundrobin
  option forwardfor
  option httpchk GET /ready
${servers(front)}`

/** A REST service with its sockets. */
const rest = (host: string, front: Front, probed: Front): string => `listen ${front.name}
  mode http
  bind ${host}:${front.port}
  balance roundrobin
  option forwardfor
${servers(front, ({ name }) => ` no-check track ${probed.name}/${name}`)}`

const servers = ({ places, port }: Front, more: (place: Place) => string = () => ''): string =>
  places.map(place => `  server ${place.name} ${place.host}:${port}${more(place)}\n`).join('')

/** RPCs: TCP, over the processes of a service, which report by grpc.health.v1. */
const rpc = (host: string, front: Front): string => `listen ${front.name}
  mode tcp
  bind ${host}:${front.port} tcp-ut 5s
  balance roundrobin
  option httpchk
  http-check send meth POST uri /grpc.health.v1.Health/Check ver HTTP/1.1 hdr Host rpc hdr Content-Type application/json body "{}"
  http-check expect string \\"SERVING\\"
${servers(front)}`

/**
 * The database: all connections lead to one node, and stay there when an earlier one returns. A node that isn't synced
 * loses its connections at once, so that nobody writes to two.
 */
const database = (host: string, port: number, nodes: readonly Node[], check: number): string => `listen database
  mode tcp
  bind ${host}:${port} tcp-ut 5s
  timeout client 1h
  timeout server 1h
  stick-table type integer size 1
  stick on int(1)
  option httpchk
  http-check send uri-lf /%[srv_name]
  default-server addr ${host} port ${check} on-marked-down shutdown-sessions
${nodes.map((node, at) => `  server ${node.name} ${node.place.host}:${node.port}${at > 0 ? ' backup' : ''}\n`).join('')}`

type Shape = {
  host: string
  web: Front
  rests: Front[]
  services: Front[]
  database: { port: number; nodes: readonly Node[]; check: number }
}

export function haproxyConfig({ host, web: probed, rests, services, database: { port, nodes, check } }: Shape): string {
  return [
    defaults,
    web(host, probed),
    ...rests.map(front => rest(host, front, probed)),
    ...services.map(front => rpc(host, front)),
    database(host, port, nodes, check),
  ].join('\n')
}
