import type { HandlerContext } from '@connectrpc/connect'
import { actorKey } from '../kernel/actor.ts'

/**
 * Whether an administrator calls. The platform is told of what people and the provider change; a service that changes
 * something has its answer, and a set-up that is undone must leave no event.
 */
export const isPerson = (context: HandlerContext): boolean => context.values.get(actorKey).kind === 'person'
