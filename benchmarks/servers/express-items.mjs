import { NOT_FOUND, say, work } from './shared.mjs';

/** The same application on either version of Express. */
export function serveItems(express, middleware = []) {
  const app = express();
  app.set('query parser', 'extended');
  if (middleware.length > 0) app.use(...middleware);
  app.use(express.json());
  app.get('/items/:id', (req, res, next) => {
    work.get(req.params.id).then((record) => res.json(record), next);
  });
  app.get('/items', (req, res, next) => {
    work.find({ query: req.query }).then((list) => res.json(list), next);
  });
  app.post('/items', (req, res, next) => {
    work.create(req.body).then((record) => res.status(201).json(record), next);
  });
  // Express knows error handlers by their four parameters.
  app.use((error, _req, res, _next) => {
    res.status(error.status ?? 500).json(NOT_FOUND);
  });
  say(app.listen(0, '127.0.0.1'));
}
