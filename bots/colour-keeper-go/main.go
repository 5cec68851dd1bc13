// The server half of a bot; strategy.go is the other. It listens where ARENA_ADDRESS says, answers the hello, and
// answers each batch of questions with one message, until the arena closes the stream.
package main

import (
	"context"
	"errors"
	"io"
	"log"
	"net"
	"os"
	"strings"

	"google.golang.org/grpc"

	pb "bot/arenapb"
)

const (
	protocol = 1
	tables   = 1024
)

type bot struct {
	pb.UnimplementedBotServer
	ended chan struct{}
}

// Hello gives the nonce back and says how many tables this bot plays at once.
func (b *bot) Hello(_ context.Context, request *pb.HelloRequest) (*pb.HelloReply, error) {
	offered := uint32(tables)
	if most := request.GetTablesMax(); most > 0 {
		offered = min(offered, most)
	}
	return &pb.HelloReply{
		Protocol:    protocol,
		Nonce:       request.GetNonce(),
		Tables:      offered,
		Description: description,
	}, nil
}

// Play answers every batch at once. The strategy remembers nothing: turn.Table would tell the tables apart.
func (b *bot) Play(stream grpc.BidiStreamingServer[pb.Turns, pb.Answers]) error {
	defer close(b.ended)
	for {
		batch, err := stream.Recv()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if len(batch.GetTurns()) == 0 {
			continue
		}
		answers := make([]*pb.Answer, 0, len(batch.GetTurns()))
		for _, turn := range batch.GetTurns() {
			answers = append(answers, answer(turn))
		}
		if err := stream.Send(&pb.Answers{Answers: answers}); err != nil {
			return err
		}
	}
}

func main() {
	address, ok := strings.CutPrefix(os.Getenv("ARENA_ADDRESS"), "unix:")
	if !ok {
		log.Fatal("ARENA_ADDRESS must be unix:PATH: the arena starts bots")
	}
	listener, err := net.Listen("unix", address)
	if err != nil {
		log.Fatal(err)
	}
	server := grpc.NewServer(grpc.MaxRecvMsgSize(64 << 20))
	served := &bot{ended: make(chan struct{})}
	pb.RegisterBotServer(server, served)
	go func() {
		<-served.ended
		server.GracefulStop()
	}()
	if err := server.Serve(listener); err != nil {
		log.Fatal(err)
	}
}
