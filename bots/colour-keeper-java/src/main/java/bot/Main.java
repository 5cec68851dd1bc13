package bot;

import io.grpc.netty.NettyServerBuilder;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.epoll.EpollEventLoopGroup;
import io.netty.channel.epoll.EpollServerDomainSocketChannel;
import io.netty.channel.unix.DomainSocketAddress;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.io.IOException;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * The server of a bot: it listens where ARENA_ADDRESS says and serves until the arena closes the
 * stream.
 */
final class Main {
  private static final String SCHEME = "unix:";
  private static final int MESSAGE_BYTES = 64 << 20;

  // Kept here, for the logging machinery forgets loggers that nobody holds.
  private static final Logger NETTY = Logger.getLogger("io.netty");

  private Main() {}

  public static void main(String[] arguments) throws IOException, InterruptedException {
    String address = System.getenv().getOrDefault("ARENA_ADDRESS", "");
    if (!address.startsWith(SCHEME)) {
      System.err.println("ARENA_ADDRESS must be unix:PATH: the arena starts bots");
      System.exit(1);
    }
    // A sandbox without a network is no news.
    NETTY.setLevel(Level.SEVERE);
    // One stream is all that the arena opens: one thread serves it. It is a daemon, so that a bot
    // which fails to start ends.
    EventLoopGroup loop = new EpollEventLoopGroup(1, new DefaultThreadFactory("bot", true));
    BotService service = new BotService();
    var server =
        NettyServerBuilder.forAddress(new DomainSocketAddress(address.substring(SCHEME.length())))
            .channelType(EpollServerDomainSocketChannel.class)
            .bossEventLoopGroup(loop)
            .workerEventLoopGroup(loop)
            .directExecutor()
            .maxInboundMessageSize(MESSAGE_BYTES)
            .addService(service)
            .build()
            .start();
    service.awaitEnd();
    server.shutdown().awaitTermination();
    loop.shutdownGracefully();
  }
}
