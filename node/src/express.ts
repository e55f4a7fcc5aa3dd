/**
 * IDs in Express: parameters of routes are read as IDs, and JSON has their text.
 *
 * @packageDocumentation
 */

import { options } from './arguments.js';
import { type IdParamError, type IdParams, type ParamFormats, badRequest, paramReader } from './params.js';

export type { BadRequest, IdParamError, IdParams, ParamFormats } from './params.js';
export { type IdFormat, type IdFormatOptions, idReplacer } from './texts.js';

/** The part of Express's response that sends a {@link BadRequest} for an invalid parameter. */
export interface JsonResponse {
  // The route can send other bodies, whose type is not known here.
  status(code: number): { json(body: any): unknown };
}

/** Continues with the next handler, or with Express's error handlers. */
export type Next = (error?: unknown) => void;

/** The options of `idParams`. */
export interface IdParamsOptions {
  /** Handles an invalid parameter, in place of the default response: `next(error)`, for example. */
  onError?: ((error: IdParamError, request: unknown, response: unknown, next: Next) => void) | undefined;
}

/**
 * Returns a handler that reads parameters of its route as IDs. Later handlers of the route find the
 * ID in `request.params`. For invalid text, the handler responds with status 400 and a
 * {@link BadRequest} as JSON.
 *
 * `app.set('json replacer', idReplacer('snowflake'))` writes the bigints of `response.json` as
 * text.
 *
 * @param formats - The format of each parameter, by its name.
 * @throws {@link SaibanError} as the constructor of `IdTexts`. The handler throws a
 * {@link SaibanTypeError} if the route has no such parameter.
 * @example
 * ```ts
 * import express from 'express';
 * import { idParams, idReplacer } from 'saiban/express';
 * const app = express().set('json replacer', idReplacer('snowflake'));
 * app.get('/orders/:id', idParams({ id: 'snowflake' }), (request, response) => {
 *   const id: bigint = request.params.id;
 *   response.json({ id }); // {"id":"2125041057055170560"}
 * });
 * ```
 */
export function idParams<const Formats extends ParamFormats>(
  formats: Formats,
  idParamsOptions: IdParamsOptions = {},
): (request: { params: IdParams<Formats> }, response: JsonResponse, next: Next) => void {
  const { onError } = options(idParamsOptions, 'idParams', ['onError']);
  const read = paramReader(formats);
  return (request, response, next) => {
    const error = read(request.params);
    if (error === undefined) next();
    else if (onError === undefined) response.status(error.statusCode).json(badRequest(error));
    else onError(error, request, response, next);
  };
}
