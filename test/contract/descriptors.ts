import { resolve } from 'node:path'
import { type DescFile, type DescMessage, type DescMethod, getOption, hasOption } from '@bufbuild/protobuf'
import { loadFiles as filesBelow } from '../../cli/generate/descriptors.ts'
import { http } from '../../gen/google/api/annotations_pb.ts'
import { rest } from '../../gen/platform/options/v1/options_pb.ts'

/** A REST route that an RPC declares; each alias is a route. */
export type DeclaredRoute = {
  /** Proto package between `platform.` and `.v1`. */
  service: string
  method: string
  /** As declared: /teams/{id}/members. */
  path: string
  rpc: DescMethod
  /** Why the route exists although it isn't in the original contract; empty if it is. */
  addition: string
}

/** All generated files of the platform, from GEN_DIR or from gen. */
export const loadFiles = (): Promise<DescFile[]> =>
  filesBelow(process.env.GEN_DIR ?? resolve(import.meta.dirname, '../../gen'))

/** All RPCs of the files. */
export const rpcsOf = (files: DescFile[]): DescMethod[] =>
  files.flatMap(file => file.services.flatMap(service => service.methods))

/** All RPCs of a service: platform.news.v1. */
export const rpcsOfPackage = async (name: string): Promise<DescMethod[]> =>
  rpcsOf((await loadFiles()).filter(({ proto }) => proto.package === name))

/** All messages of the files, nested ones included. */
export function messagesOf(files: DescFile[]): DescMessage[] {
  const withNested = (message: DescMessage): DescMessage[] => [message, ...message.nestedMessages.flatMap(withNested)]
  return files.flatMap(file => file.messages.flatMap(withNested))
}

/** Package name without `platform.` and the version: member. */
export const serviceOf = (packageName: string): string => packageName.split('.')[1] ?? ''

/** The routes of one RPC; none for an internal one. */
export function routesOf(rpc: DescMethod): DeclaredRoute[] {
  if (!hasOption(rpc, http)) return []
  const rule = getOption(rpc, http)
  return [rule, ...rule.additionalBindings].map(({ pattern }) => {
    if (pattern.case === undefined || pattern.case === 'custom')
      throw new Error(`${nameOf(rpc)}: not one of five verbs`)
    return {
      service: serviceOf(rpc.parent.file.proto.package),
      method: pattern.case.toUpperCase(),
      path: pattern.value,
      rpc,
      addition: getOption(rpc, rest).addition,
    }
  })
}

/** Also for messages: platform.member.v1.TeamService.CreateTeam. */
export const nameOf = (rpc: DescMethod): string => `${rpc.parent.typeName}.${rpc.name}`

/** Equal for two paths that a client can't tell apart: without names and trailing slash. */
export function shapeOf(path: string): string {
  const parts = path.split('/').filter(Boolean)
  return `/${parts.map(part => (/^(:|\{)/.test(part) ? '*' : part)).join('/')}`
}

/** Names between braces, in order. */
export const parametersOf = (path: string): string[] => [...path.matchAll(/\{([^}]*)\}/g)].map(match => match[1] ?? '')
