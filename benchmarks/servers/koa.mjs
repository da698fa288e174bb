import Router from '@koa/router';
import Koa from 'koa';
import bodyParser from 'koa-bodyparser';
import qs from 'qs';
import { NOT_FOUND, say, work } from './shared.mjs';

const app = new Koa();
const router = new Router();
app.use(async (ctx, next) => {
  try {
    await next();
  } catch (error) {
    ctx.status = error.status ?? 500;
    ctx.body = NOT_FOUND;
  }
});
app.use(bodyParser());
router.get('/items/:id', async (ctx) => {
  ctx.body = await work.get(ctx.params.id);
});
router.get('/items', async (ctx) => {
  ctx.body = await work.find({ query: qs.parse(ctx.querystring) });
});
router.post('/items', async (ctx) => {
  ctx.status = 201;
  ctx.body = await work.create(ctx.request.body);
});
app.use(router.routes());
say(app.listen(0, '127.0.0.1'));
