//! The server half of a bot; `strategy.rs` is the other. It listens where ARENA_ADDRESS says, answers the hello,
//! and answers each batch of questions with one message, until the arena closes the stream.

mod strategy;

mod pb {
    tonic::include_proto!("arena.v1");
}

use std::env;
use std::error::Error;
use std::panic;
use std::pin::Pin;
use std::process;

use pb::bot_server::{Bot, BotServer};
use pb::{Answers, HelloReply, HelloRequest, Turns};
use tokio::net::UnixListener;
use tokio::sync::mpsc;
use tokio_stream::wrappers::{ReceiverStream, UnixListenerStream};
use tokio_stream::Stream;
use tonic::{Request, Response, Status, Streaming};

const PROTOCOL: u32 = 1;
const TABLES: u32 = 1024;
const MESSAGE_BYTES: usize = 64 << 20;

struct Server {
    ended: mpsc::Sender<()>,
}

#[tonic::async_trait]
impl Bot for Server {
    /// Give the nonce back and say how many tables this bot plays at once.
    async fn hello(&self, request: Request<HelloRequest>) -> Result<Response<HelloReply>, Status> {
        let request = request.into_inner();
        let tables = match request.tables_max {
            0 => TABLES,
            most => most.min(TABLES),
        };
        Ok(Response::new(HelloReply {
            protocol: PROTOCOL,
            nonce: request.nonce,
            tables,
            description: strategy::DESCRIPTION.to_owned(),
        }))
    }

    type PlayStream = Pin<Box<dyn Stream<Item = Result<Answers, Status>> + Send>>;

    /// Answer every batch at once. The strategy remembers nothing: `turn.table` would tell the tables apart.
    async fn play(
        &self,
        request: Request<Streaming<Turns>>,
    ) -> Result<Response<Self::PlayStream>, Status> {
        let mut batches = request.into_inner();
        let ended = self.ended.clone();
        let (sender, receiver) = mpsc::channel(1);
        tokio::spawn(async move {
            while let Ok(Some(batch)) = batches.message().await {
                if batch.turns.is_empty() {
                    continue;
                }
                let answers = batch.turns.iter().map(strategy::answer).collect();
                if sender.send(Ok(Answers { answers })).await.is_err() {
                    break;
                }
            }
            // A job is over when its stream is; who listens for this may have gone already.
            let _ = ended.send(()).await;
        });
        Ok(Response::new(Box::pin(ReceiverStream::new(receiver))))
    }
}

/// End the bot by a panic and say its place last: a task that unwinds would leave the arena waiting.
fn end_by_panic() {
    let tell = panic::take_hook();
    panic::set_hook(Box::new(move |panicked| {
        tell(panicked);
        if let Some(place) = panicked.location() {
            eprintln!("panicked at {place}");
        }
        process::exit(101);
    }));
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    end_by_panic();
    let address = env::var("ARENA_ADDRESS").unwrap_or_default();
    let path = address
        .strip_prefix("unix:")
        .ok_or("ARENA_ADDRESS must be unix:PATH: the arena starts bots")?;
    let listener = UnixListener::bind(path)?;
    let (ended, mut end) = mpsc::channel(1);
    let service = BotServer::new(Server { ended }).max_decoding_message_size(MESSAGE_BYTES);
    tonic::transport::Server::builder()
        .add_service(service)
        .serve_with_incoming_shutdown(UnixListenerStream::new(listener), async move {
            end.recv().await;
        })
        .await?;
    Ok(())
}
