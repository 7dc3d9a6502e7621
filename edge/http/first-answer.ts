import type { Request, RequestHandler } from 'express'

/** The name that every port gives programs. */
export const platformName = 'Hospitality platform'

/** Answers programs with JSON; a caller that prefers HTML gets the page, which comes next. */
export const jsonForPrograms =
  (about: (request: Request) => object): RequestHandler =>
  (request, response, next) => {
    response.vary('Accept').set('Cache-Control', 'no-cache')
    if (request.accepts(['json', 'html']) === 'html') return next()
    response.json(about(request))
  }
