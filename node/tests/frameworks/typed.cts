// The helpers with the types of the frameworks, in a program that requires.
import express = require('express');
import { idParams, idReplacer } from 'saiban/express';
import { idsToText } from 'saiban/fastify';
import { idSchema } from 'saiban/zod';
import { fastify } from 'fastify';
import * as z from 'zod';

const app = express().set('json replacer', idReplacer('snowflake'));
app.get('/:id', idParams({ id: 'snowflake' }), ({ params }, response) => {
  const id: bigint = params.id;
  response.json({ id });
});
fastify().addHook('preSerialization', idsToText('snowflake'));
const id: bigint = z.object({ id: idSchema('snowflake') }).parse({ id: '7' }).id;
if (id !== 7n) throw new Error('zod');
console.log('typed');
