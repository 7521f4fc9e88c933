package snippet

func train(data *dataset.InMemoryDataset) *dataset.InMemoryDataset {
	//SNIPPET
	return trainDS
}
