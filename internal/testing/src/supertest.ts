export { default as request } from 'supertest';
