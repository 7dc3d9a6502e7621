import { type DescMethod, getOption, hasOption } from '@bufbuild/protobuf'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { http } from '../../gen/google/api/annotations_pb.ts'
import { access, Caller, rest, Scope } from '../../gen/platform/options/v1/options_pb.ts'
import { isInternal } from '../../services/kernel/rpc/door/body.ts'
import { idsWithoutPattern, unbounded } from './bounds.ts'
import { loadFiles, nameOf, parametersOf, routesOf, rpcsOf } from './descriptors.ts'

const test = suite('contract: RPCs')
const rpcs = rpcsOf(await loadFiles())

/** The RPCs for which `problem` returns a text, with that text. */
const failing = (problem: (rpc: DescMethod) => string | undefined | false): string[] =>
  rpcs.flatMap(rpc => {
    const text = problem(rpc)
    return text ? [`${nameOf(rpc)}: ${text}`] : []
  })

/** The permission slugs of the outside contract by category, then those of the ecosystem level. */
const slugs = new Set(
  `manage_members view_members invite_members remove_members manage_roles
  create_content edit_content delete_content publish_content moderate_comments
  manage_settings view_settings manage_integrations
  send_notifications access_chat manage_channels
  view_reports export_data view_analytics
  access_live_chat screenshot_permission manage_ecosystem`.split(/\s+/),
)

// The edge passes these bodies on unparsed, because a signature over the bytes is their credential.
const signed = new Set(['platform.payment.v1.WebhookService.HandleWebhook'])

test('there are RPCs to check', () => {
  assert.ok(rpcs.length > 100, `${rpcs.length} found`)
})

test('every RPC declares its callers and scope', () => {
  const problems = failing(rpc => {
    if (!hasOption(rpc, access)) return 'no access option'
    const { callers, scope } = getOption(rpc, access)
    if (callers.length === 0 || callers.includes(Caller.UNSPECIFIED)) return 'no callers'
    return scope === Scope.UNSPECIFIED && 'no scope'
  })
  assert.equal(problems, [])
})

test('a workspace or ecosystem scope names the request field that holds it, and no other scope does', () => {
  const problems = failing(rpc => {
    const { ownField, scope, scopeField, platformWide } = getOption(rpc, access)
    if (platformWide && scope !== Scope.WORKSPACE) return 'platform_wide without use'
    if (ownField && !rpc.input.fields.some(one => one.name === ownField)) return `no field "${ownField}"`
    if (scope !== Scope.WORKSPACE && scope !== Scope.ECOSYSTEM) return scopeField && 'scope_field without use'
    const field = rpc.input.fields.find(one => one.name === scopeField)
    if (field?.fieldKind !== 'scalar') return `no field "${scopeField}" in ${rpc.input.typeName}`
    return undefined
  })
  assert.equal(problems, [])
})

test('a permission is one of the documented slugs and requires a tenant', () => {
  const problems = failing(rpc => {
    const { permission, scope } = getOption(rpc, access)
    if (permission === '') return undefined
    if (!slugs.has(permission)) return `unknown permission ${permission}`
    return scope === Scope.IDENTITY && `${permission} of which tenant?`
  })
  assert.equal(problems, [])
})

test('a public method is not checked against a tenant', () => {
  const problems = failing(rpc => {
    const { callers, scope } = getOption(rpc, access)
    return callers.includes(Caller.PUBLIC) && scope !== Scope.IDENTITY && 'public within a tenant'
  })
  assert.equal(problems, [])
})

test('an internal RPC is not public', () => {
  const problems = failing(rpc => {
    const { callers } = getOption(rpc, access)
    return isInternal(rpc) && !signed.has(nameOf(rpc)) && callers.includes(Caller.PUBLIC) && 'internal, yet public'
  })
  assert.equal(problems, [])
})

test('path parameters are scalar fields of the request, and each occurs once', () => {
  const problems = failing(rpc => {
    const wrong = routesOf(rpc).flatMap(({ path }) => {
      const names = parametersOf(path)
      const fields = new Map(rpc.input.fields.map(field => [field.name, field]))
      return names.filter((name, at) => fields.get(name)?.fieldKind !== 'scalar' || names.indexOf(name) !== at)
    })
    return wrong.length > 0 && wrong.join(', ')
  })
  assert.equal(problems, [])
})

test('GET has no body, and the body field of a route exists', () => {
  const problems = failing(rpc => {
    if (!hasOption(rpc, http)) return undefined
    const rule = getOption(rpc, http)
    for (const { pattern, body, responseBody } of [rule, ...rule.additionalBindings]) {
      if (body !== '' && body !== '*') return `body "${body}"`
      if (pattern.case === 'get' && body !== '') return 'GET with a body'
      if (responseBody && !rpc.output.fields.some(field => field.name === responseBody)) return `no ${responseBody}`
    }
    return undefined
  })
  assert.equal(problems, [])
})

test('the name of an RPC that returns PageMeta begins with List, by which tests find lists', () => {
  const problems = failing(rpc => {
    const isPaged = rpc.output.fields.some(field => field.message?.name === 'PageMeta')
    return isPaged && hasOption(rpc, http) && !rpc.name.startsWith('List') && 'returns PageMeta: name it List…'
  })
  assert.equal(problems, [])
})

test('every list accepts page and limit and returns meta', () => {
  const problems = failing(rpc => {
    if (!rpc.name.startsWith('List') || !hasOption(rpc, http)) return undefined
    const names = new Set(rpc.input.fields.map(field => field.name))
    const meta = rpc.output.fields.find(field => field.name === 'meta')?.message
    const counts = new Set(meta?.fields.map(field => field.name))
    const isPaged = ['page', 'limit'].every(name => names.has(name) && counts.has(name))
    return !isPaged && 'no page, limit or meta'
  })
  assert.equal(problems, [])
})

test('success is 200 or another 2xx', () => {
  const problems = failing(rpc => {
    const { status } = getOption(rpc, rest)
    return status !== 0 && (status < 200 || status > 299) && `status ${status}`
  })
  assert.equal(problems, [])
})

test('every string, list, map and number in a request is bounded', () => {
  const visitedTypes = new Set<string>()
  assert.equal(
    rpcs.flatMap(rpc => unbounded(rpc.input, visitedTypes)),
    [],
  )
})

test('every id in a request has a pattern, so that none of another alphabet reaches a statement', () => {
  const visitedTypes = new Set<string>()
  // Bulk calls report each id that they can't use.
  assert.equal(
    rpcs.filter(rpc => !rpc.name.startsWith('Bulk')).flatMap(rpc => idsWithoutPattern(rpc.input, visitedTypes)),
    [],
  )
})

test.run()
