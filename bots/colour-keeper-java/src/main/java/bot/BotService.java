package bot;

import arena.v1.BotGrpc;
import arena.v1.BotOuterClass.Answers;
import arena.v1.BotOuterClass.HelloReply;
import arena.v1.BotOuterClass.HelloRequest;
import arena.v1.BotOuterClass.Turn;
import arena.v1.BotOuterClass.Turns;
import io.grpc.stub.StreamObserver;
import java.util.concurrent.CountDownLatch;

/** The two calls of the contract. */
final class BotService extends BotGrpc.BotImplBase {
  private static final int PROTOCOL = 1;
  private static final int TABLES = 1024;

  private final CountDownLatch end = new CountDownLatch(1);

  /** Wait until the stream has ended. */
  void awaitEnd() throws InterruptedException {
    end.await();
  }

  /** Give the nonce back and say how many tables this bot plays at once. */
  @Override
  public void hello(HelloRequest request, StreamObserver<HelloReply> observer) {
    int most = request.getTablesMax();
    observer.onNext(
        HelloReply.newBuilder()
            .setProtocol(PROTOCOL)
            .setNonce(request.getNonce())
            .setTables(most > 0 ? Math.min(TABLES, most) : TABLES)
            .setDescription(Strategy.DESCRIPTION)
            .build());
    observer.onCompleted();
  }

  /**
   * Answer one batch. An error ends the bot and says where it was, last: gRPC would log it above a
   * page of its own calls, and live on.
   */
  private static Answers answer(Turns batch) {
    try {
      Answers.Builder reply = Answers.newBuilder();
      for (Turn turn : batch.getTurnsList()) {
        reply.addAnswers(Strategy.answer(turn));
      }
      return reply.build();
    } catch (RuntimeException | Error error) {
      error.printStackTrace();
      for (StackTraceElement place : error.getStackTrace()) {
        if (place.getClassName().startsWith("bot.")) {
          System.err.println(error + " at " + place);
          break;
        }
      }
      Runtime.getRuntime().halt(1);
      throw error;
    }
  }

  /** Answer every batch at once. The strategy remembers nothing; a turn names its table. */
  @Override
  public StreamObserver<Turns> play(StreamObserver<Answers> answers) {
    return new StreamObserver<>() {
      @Override
      public void onNext(Turns batch) {
        if (batch.getTurnsCount() == 0) {
          return;
        }
        answers.onNext(answer(batch));
      }

      @Override
      public void onError(Throwable cause) {
        end.countDown();
      }

      @Override
      public void onCompleted() {
        answers.onCompleted();
        end.countDown();
      }
    };
  }
}
